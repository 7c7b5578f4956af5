/** Specs and results that threads send each other: long lists of flows go as bare columns. */
import { FlowList } from '@weir/workloads'
import { flowTable, keptFlows } from './flow-table.ts'
import type { KeptFlows } from './flow-table.ts'
import type { FlowTable, Result } from './result.ts'
import type { ValidSpec, WorkloadSpec } from './spec/valid-spec.ts'

export function specFromThread(spec: ValidSpec): ValidSpec {
  const workload = spec.workload.map(itemFromThread)
  return workload.every((item, i) => item === spec.workload[i]) ? spec : { ...spec, workload }
}

/** A result on its way: its table of flows may be what it is made from. */
export type SentResult = Omit<Result, 'flows'> & { readonly flows: FlowTable | KeptFlows }

/** And the memory to hand over with it: what a run of many flows leaves is not copied. */
export function resultForThread(result: Result): [SentResult, ArrayBuffer[]] {
  const flows = keptFlows(result.flows)
  if (flows === undefined) return [result, []]
  const { item, name, source, target, unfinished: _, ...columns } = flows
  const texts = [item, source, target, name, name.heads].map(({ numbers }) => numbers)
  const buffers = [...texts, ...Object.values(columns)].flatMap((column) =>
    ArrayBuffer.isView(column) ? (column.buffer as ArrayBuffer) : [],
  )
  return [{ ...result, flows }, buffers]
}

export function resultFromThread(sent: SentResult): Result {
  const spec = specFromThread(sent.spec)
  const { flows } = sent
  return { ...sent, spec, flows: isKept(flows) ? flowTable(flows) : flows }
}

function isKept(flows: FlowTable | KeptFlows): flows is KeptFlows {
  return Object.hasOwn(flows, 'simulatedPs')
}

function itemFromThread(item: WorkloadSpec): WorkloadSpec {
  if (item.kind !== 'flows') return item
  const flows = FlowList.of(item.flows)
  return flows === item.flows ? item : { ...item, flows }
}
