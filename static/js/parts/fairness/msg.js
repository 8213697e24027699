// The messages of this part.

import { part } from '../../msg.js';
import fairness from '../../../messages/en/fairness.json' with { type: 'json' };

export const msg = part(fairness);
