// The messages of this page, which does not load those of tables.

import fairnesspage from '../../messages/en/fairnesspage.json' with { type: 'json' };
import { messages } from '../messages.js';

export const msg = messages(fairnesspage);
