import type { LogEntry, LogPlace, Push, PushAnswer } from '../../../shared/team/position.ts';
import { LOG_START } from '../../../shared/team/position.ts';

/** The shared database as the simulator has it: what `append` and the reads of the log answer, and nothing else. */
export class ModelServer {
  #log: (LogEntry & { readonly scopes: readonly number[] })[] = [];

  get log(): readonly LogEntry[] {
    return this.#log;
  }

  append({ desk, push, based, changes, scopes }: Push): PushAnswer {
    const last = this.lastPushOf(desk);
    if (push <= last) return 'duplicate';
    if (this.hashAt(based.seq) !== based.hash) return 'other-history';
    if (push > last + 1) return 'gap';
    const since = this.#log.slice(based.seq).filter((entry) => entry.desk !== desk);
    if (since.some((entry) => entry.scopes.some((scope) => scopes.some((own) => own === scope)))) return 'behind';
    const seq = this.#log.length + 1;
    const hash = hashOf(`${this.hashAt(seq - 1)} ${desk} ${push} ${JSON.stringify(changes)}`);
    this.#log.push({ seq, hash, desk, push, changes, scopes });
    return 'ok';
  }

  lastPushOf(desk: number): number {
    return this.#log.findLast((entry) => entry.desk === desk)?.push ?? 0;
  }

  /** Null where this log has no such entry. */
  hashAt(seq: number): string | null {
    return seq === 0 ? LOG_START.hash : (this.#log[seq - 1]?.hash ?? null);
  }

  /** What follows a place, as many as fit into one answer; null where the place is not in this log. */
  after({ seq, hash }: LogPlace, most: number): readonly LogEntry[] | null {
    return this.hashAt(seq) === hash ? this.#log.slice(seq, seq + most) : null;
  }

  get head(): number {
    return this.#log.length;
  }

  /** A standby takes over that has not got the last entries. */
  forget(count: number): void {
    this.#log = this.#log.slice(0, Math.max(0, this.#log.length - count));
  }
}

/** 53 bits are enough to tell the histories of one life apart. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  return ((high >>> 0).toString(36) + (low >>> 0).toString(36)).padStart(14, '0');
}
