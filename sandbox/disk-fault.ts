/** Codes of SQLite: read-only, can't be opened, disk full. */
const SQLITE: Readonly<Record<number, DiskFault>> = { 8: 'read-only', 14: 'read-only', 13: 'disk-full' };
const SYSTEM: Readonly<Record<string, DiskFault>> = {
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
};

export type DiskFault = 'disk-full' | 'read-only';

/** The kind of a disk failure, or null if the disk is not the cause. The simulation's state is stored on that disk. */
export function diskFault(problem: unknown): DiskFault | null {
  if (!(problem instanceof Error)) return null;
  if ('errcode' in problem && typeof problem.errcode === 'number') {
    // The shared-memory index of the log found no space; SQLite reports an I/O error.
    return problem.errcode === 4874 ? 'disk-full' : (SQLITE[problem.errcode & 0xff] ?? null);
  }
  return 'code' in problem ? (SYSTEM[String(problem.code)] ?? null) : null;
}

/** The text for a caller about the sandbox's own disk; no message of the service. */
export const diskFaultText = (fault: DiskFault): string =>
  fault === 'disk-full' ? 'The disk of the sandbox is full' : 'The folder of the sandbox can only be read';

/** The text for the operator: the message for a disk failure, the stack for a defect. */
export function faultText(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  return diskFault(problem) === null ? (problem.stack ?? problem.message) : problem.message;
}
