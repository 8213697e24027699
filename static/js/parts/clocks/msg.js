// The messages of this part.

import { part } from '../../msg.js';
import clocks from '../../../messages/en/clocks.json' with { type: 'json' };

export const msg = part(clocks);
