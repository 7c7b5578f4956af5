/** A message workload, completed: its processes have hosts, and its program can end. */
import { checkMessages } from '@weir/workloads'
import type { MessagesDraft } from '@weir/workloads'
import { checkClass } from './complete-fabric.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { MessagesSpec } from './valid-spec.ts'
import { checkTimes, hostsOf, refusing } from './workload-context.ts'
import type { Namer, WorkloadContext } from './workload-context.ts'

export function completeMessages(
  draft: MessagesDraft,
  path: SpecPath,
  names: Namer,
  context: WorkloadContext,
): MessagesSpec {
  const at = (key: string): SpecPath => [...path, key]
  const messages = { ...draft, name: names.name(draft.name, at('name')) }
  checkTimes({ startPs: draft.startPs, stopPs: 0 }, at, context.untilPs)
  if (draft.class !== -1) checkClass(draft.class, context.classes, [...at('class')])
  if (draft.processes.length < 2) {
    throw new Refusal(at('processes'), 'messages need two processes; name a host for each of them')
  }
  draft.processes.forEach((host, i) =>
    refusing([...at('processes'), i], () => context.names.hostIndex(host)),
  )
  refusing(at('program'), () => checkMessages(messages, hostsOf(context.graph), context.seed))
  return messages
}
