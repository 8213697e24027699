// The messages of this part.

import { part } from '../../msg.js';
import saves from '../../../messages/en/saves.json' with { type: 'json' };

export const msg = part(saves);
