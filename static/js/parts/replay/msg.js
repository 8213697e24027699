// The messages of this part.

import { part } from '../../msg.js';
import replay from '../../../messages/en/replay.json' with { type: 'json' };

export const msg = part(replay);
