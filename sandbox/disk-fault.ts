/** Codes of SQLite: it can only be read, it cannot be opened, no room is left, the disk fails. */
const SQLITE: Readonly<Record<number, DiskFault>> = { 8: 'read-only', 14: 'read-only', 13: 'disk-full' };
const SYSTEM: Readonly<Record<string, DiskFault>> = {
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
};

export type DiskFault = 'disk-full' | 'read-only';

/** Whether a failure is the disk's, and which; the state of the simulation lies on it. */
export function diskFault(problem: unknown): DiskFault | null {
  if (!(problem instanceof Error)) return null;
  if ('errcode' in problem && typeof problem.errcode === 'number') {
    // The index of its log found no room, which SQLite calls an error of reading and writing.
    return problem.errcode === 4874 ? 'disk-full' : (SQLITE[problem.errcode & 0xff] ?? null);
  }
  return 'code' in problem ? (SYSTEM[String(problem.code)] ?? null) : null;
}

/** No message of the service: what a caller is told of the disk that its simulation lies on. */
export const diskFaultText = (fault: DiskFault): string =>
  fault === 'disk-full' ? 'The disk of the sandbox is full' : 'The folder of the sandbox can only be read';

/** What the operator reads of a failure: of a disk its words, of a defect where it was. */
export function faultText(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  return diskFault(problem) === null ? (problem.stack ?? problem.message) : problem.message;
}
