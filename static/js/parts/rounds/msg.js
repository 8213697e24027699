// The messages of this part.

import { part } from '../../msg.js';
import rounds from '../../../messages/en/rounds.json' with { type: 'json' };

export const msg = part(rounds);
