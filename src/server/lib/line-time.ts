/** The time of a line in a log, by the machine's clock, so that it compares with other programs' logs. */
export const lineTime = (): string => new Date().toISOString();
