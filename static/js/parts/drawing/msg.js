// The messages of this part.

import { part } from '../../msg.js';
import drawing from '../../../messages/en/drawing.json' with { type: 'json' };

export const msg = part(drawing);
