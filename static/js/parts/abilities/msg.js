// The messages of this part.

import { part } from '../../msg.js';
import abilities from '../../../messages/en/abilities.json' with { type: 'json' };

export const msg = part(abilities);
