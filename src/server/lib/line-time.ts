/** The time of a line in a log, by the machine's clock, which whoever reads it compares others by. */
export const lineTime = (): string => new Date().toISOString();
