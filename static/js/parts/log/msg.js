// The messages of this part.

import { part } from '../../msg.js';
import log from '../../../messages/en/log.json' with { type: 'json' };

export const msg = part(log);
