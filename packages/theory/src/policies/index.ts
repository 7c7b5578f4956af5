export { deadlinePolicy } from './deadline.ts'
export { fairPolicy, type Allotment, type Policy, type PolicyFlow } from './policy.ts'
export { tenantPolicy } from './tenant.ts'
