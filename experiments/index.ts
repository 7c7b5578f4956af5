/** Every figure of every document that is reproduced: one line a document. */
import { figures as accurate } from './accurate/index.ts'
import type { Figure } from './figure.ts'
import { figures as infiniband } from './infiniband/index.ts'
import { figures as lecture } from './lecture/index.ts'
import { figures as pacc } from './pacc/index.ts'
import { figures as r2c2 } from './r2c2/index.ts'
import { figures as theory } from './theory/index.ts'
import { figures as transports } from './transports/index.ts'

export const figures: readonly Figure[] = [
  ...lecture,
  ...accurate,
  ...infiniband,
  ...r2c2,
  ...pacc,
  ...theory,
  ...transports,
]
