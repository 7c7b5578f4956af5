/** The figures of transports that no document of ours describes, small. */
import { describeFigures } from '../figure-suite.ts'
import { figures } from './index.ts'

describeFigures('the figures of other transports', figures, {})
