// The messages of this part.

import { part } from '../../msg.js';
import zones from '../../../messages/en/zones.json' with { type: 'json' };

export const msg = part(zones);
