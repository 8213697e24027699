// The messages of this part.

import { part } from '../../msg.js';
import boards from '../../../messages/en/boards.json' with { type: 'json' };

export const msg = part(boards);
