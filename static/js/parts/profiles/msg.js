// The messages of this part.

import { part } from '../../msg.js';
import profiles from '../../../messages/en/profiles.json' with { type: 'json' };

export const msg = part(profiles);
