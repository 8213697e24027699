// The messages of this part.

import { part } from '../../msg.js';
import bag from '../../../messages/en/bag.json' with { type: 'json' };

export const msg = part(bag);
