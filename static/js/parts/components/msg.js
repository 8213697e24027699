// The messages of this part.

import { part } from '../../msg.js';
import components from '../../../messages/en/components.json' with { type: 'json' };

export const msg = part(components);
