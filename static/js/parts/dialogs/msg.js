// The messages of this part.

import { part } from '../../msg.js';
import dialogs from '../../../messages/en/dialogs.json' with { type: 'json' };

export const msg = part(dialogs);
