// The messages of this part.

import { part } from '../../msg.js';
import doors from '../../../messages/en/doors.json' with { type: 'json' };

export const msg = part(doors);
