// The messages of this part.

import { part } from '../../msg.js';
import settings from '../../../messages/en/settings.json' with { type: 'json' };

export const msg = part(settings);
