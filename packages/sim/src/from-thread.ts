/** Specs and results that another thread has sent: long lists of flows arrive as bare columns. */
import { FlowList } from '@weir/workloads'
import type { Result } from './result.ts'
import type { ValidSpec, WorkloadSpec } from './spec/valid-spec.ts'

export function specFromThread(spec: ValidSpec): ValidSpec {
  const workload = spec.workload.map(itemFromThread)
  return workload.every((item, i) => item === spec.workload[i]) ? spec : { ...spec, workload }
}

export function resultFromThread(result: Result): Result {
  const spec = specFromThread(result.spec)
  return spec === result.spec ? result : { ...result, spec }
}

function itemFromThread(item: WorkloadSpec): WorkloadSpec {
  if (item.kind !== 'flows') return item
  const flows = FlowList.of(item.flows)
  return flows === item.flows ? item : { ...item, flows }
}
