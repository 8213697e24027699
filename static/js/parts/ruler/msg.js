// The messages of this part.

import { part } from '../../msg.js';
import ruler from '../../../messages/en/ruler.json' with { type: 'json' };

export const msg = part(ruler);
