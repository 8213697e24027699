// The messages of this part.

import { part } from '../../msg.js';
import marks from '../../../messages/en/marks.json' with { type: 'json' };

export const msg = part(marks);
