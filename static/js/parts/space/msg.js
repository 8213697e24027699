// The messages of this part.

import { part } from '../../msg.js';
import space from '../../../messages/en/space.json' with { type: 'json' };

export const msg = part(space);
