// The messages of this part.

import { part } from '../../msg.js';
import controls from '../../../messages/en/controls.json' with { type: 'json' };

/** @typedef {import('../../messages.js').Id<typeof controls>} ControlsId */

export const msg = part(controls);
