export const CITE = 'P. Costa et al., "R2C2", SIGCOMM 2015'
