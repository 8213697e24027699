// The messages of this part.

import { part } from '../../msg.js';
import pings from '../../../messages/en/pings.json' with { type: 'json' };

export const msg = part(pings);
