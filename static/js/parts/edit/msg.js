// The messages of this part.

import { part } from '../../msg.js';
import edit from '../../../messages/en/edit.json' with { type: 'json' };

export const msg = part(edit);
