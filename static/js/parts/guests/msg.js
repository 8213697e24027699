// The messages of this part.

import { part } from '../../msg.js';
import guests from '../../../messages/en/guests.json' with { type: 'json' };

export const msg = part(guests);
