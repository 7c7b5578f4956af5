/** The bundled source of the worker, as text: build.mjs puts it in. */
declare const WEIR_RUN_WORKER: string
export const workerSource: string = WEIR_RUN_WORKER
