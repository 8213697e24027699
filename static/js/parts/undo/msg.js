// The messages of this part.

import { part } from '../../msg.js';
import undo from '../../../messages/en/undo.json' with { type: 'json' };

export const msg = part(undo);
