import { z } from 'zod';
import type { ShownCapability } from '../../shared/api/accounts.ts';
import type { DeepReadonly } from '../../shared/api/operation.ts';
import {
  CAPABILITY_NAMES,
  CAPABILITY_REQUESTS,
  type Capabilities,
  type CapabilityName,
  DOCUMENTED_ONLY,
  WITH_EXTENSIONS,
} from '../../shared/plan/plan-types.ts';
import { ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { ResponseRecord } from '../api/response-record.ts';
import type { Workspace } from '../store/workspace.ts';

interface CapabilityDeps {
  readonly workspace: Pick<Workspace, 'getMeta' | 'setMeta'>;
  readonly api: () => Promise<Pick<PartnerApi, 'probeCapabilities'>>;
  /** `probe` uses the results of probes; `all` and `none` apply until the user sets a capability. */
  readonly mode: 'probe' | 'all' | 'none';
  readonly nowMs: () => number;
}

const KEY = 'capabilities';

const Known = z.partialRecord(z.enum(CAPABILITY_NAMES), z.boolean());
const Found = z.strictObject({
  seenAt: z.number().nullable(),
  offered: Known,
  /** Writes that the service rejected as unknown calls; a probe only reads and can't detect them. */
  absent: z.array(z.enum(CAPABILITY_NAMES)).default([]),
  set: Known,
});
type Stored = DeepReadonly<z.infer<typeof Found>>;
/** Written only by this program; the second form is that of older versions. */
const Stored = z.union([Found, Known.transform((offered): Stored => ({ seenAt: null, offered, absent: [], set: {} }))]);

/** Capabilities without a probe result or a setting of the user. */
const UNTOLD: Readonly<Record<CapabilityDeps['mode'], Capabilities>> = {
  probe: DOCUMENTED_ONLY,
  none: DOCUMENTED_ONLY,
  all: WITH_EXTENSIONS,
};

const NOTHING: Stored = { seenAt: null, offered: {}, absent: [], set: {} };

/**
 * Stores which calls beyond the document an account uses: as set by the user, else by the last probe. A deployment is
 * probed before its first use, at the user's request, and after a response that contradicts the stored result. A write
 * that failed as an unknown call counts as absent until the user starts a probe.
 */
export function createCapabilityStore({ workspace, api, mode, nowMs }: CapabilityDeps) {
  let running: Promise<unknown> | null = null;
  const read = async (): Promise<Stored> => {
    const text = await workspace.getMeta(KEY);
    return text === null ? NOTHING : Stored.parse(JSON.parse(text));
  };
  const inTurn = createSerialQueue();
  /** Changes run one after the other: each starts from what the one before wrote. */
  const change = (next: (stored: Stored) => Stored): Promise<Stored> =>
    inTurn(async () => {
      const stored = next(await read());
      await workspace.setMeta(KEY, JSON.stringify(stored));
      return stored;
    });

  const isUsed = ({ offered, set }: Stored, name: CapabilityName): boolean =>
    set[name] ?? (mode === 'probe' ? offered[name] : undefined) ?? UNTOLD[mode][name];
  const shown = (stored: Stored): ShownCapability[] =>
    CAPABILITY_NAMES.map((name) => ({
      name,
      offered: stored.offered[name] ?? null,
      seenAt: stored.offered[name] === undefined ? null : stored.seenAt,
      set: stored.set[name] ?? null,
      inUse: isUsed(stored, name),
    }));

  /** @param absent writes that the service is known not to have */
  const probe = async (absent: readonly CapabilityName[]): Promise<Result<Stored, ReadFailure>> => {
    const probed = await (await api()).probeCapabilities();
    if (!probed.ok) return probed;
    const lacking = Object.fromEntries(absent.map((name) => [name, false]));
    const offered = { ...probed.value, ...lacking };
    return ok(await change((stored) => ({ ...stored, seenAt: nowMs(), offered, absent })));
  };

  const settled = async (): Promise<void> => {
    try {
      await running;
    } finally {
      running = null;
    }
  };

  return {
    /** The capabilities in use now. Probes first if there is no result yet, and waits for a running probe. */
    current: async (): Promise<Capabilities> => {
      await settled();
      let stored = await read();
      if (mode === 'probe' && Object.keys(stored.offered).length === 0) {
        // If the probe fails, the next call probes again.
        const probed = await probe([]);
        if (probed.ok) stored = probed.value;
      }
      const used = CAPABILITY_NAMES.map((name): [CapabilityName, boolean] => [name, isUsed(stored, name)]);
      return Object.fromEntries(used) as Record<CapabilityName, boolean>;
    },
    list: async () => shown(await read()),
    // Started by the user. Also clears the writes stored as absent: the service may support them by now.
    probe: async (): Promise<Result<ShownCapability[], ReadFailure>> => {
      const probed = await probe([]);
      return probed.ok ? ok(shown(probed.value)) : probed;
    },
    /** @param use null follows the probe again */
    set: async (name: CapabilityName, use: boolean | null): Promise<ShownCapability[]> =>
      shown(
        await change((stored) => {
          const { [name]: _, ...others } = stored.set;
          return { ...stored, set: use === null ? others : { ...others, [name]: use } };
        }),
      ),
    /** Called with every response. A response that shows a missing extension starts a probe. */
    hear: (response: () => ResponseRecord) => {
      // The responses of the probe itself arrive here too.
      if (mode !== 'probe' || running !== null) return;
      const call = absentCall(response);
      if (call === null) return;
      const name = WRITES.find((write) => CAPABILITY_REQUESTS[write] === call);
      running = read().then(({ absent }) => probe(name === undefined ? absent : [...new Set([...absent, name])]));
      // Marks a rejection as handled; it is not lost: `settled` awaits the same promise, so `current` before the next
      // run, or `idle` when the account closes, throws it. A failed probe (`ok: false`) leaves the stored result
      // unchanged, and the next response that contradicts it starts a probe again.
      running.catch(() => undefined);
    },
    /** Resolves when no probe is running. */
    idle: settled,
  };
}

const WRITES = CAPABILITY_NAMES.filter((name) => CAPABILITY_REQUESTS[name].startsWith('PUT '));
const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(CAPABILITY_REQUESTS));

/**
 * Detects an unknown call beyond the document, in contrast to an unknown row, which has documented messages.
 *
 * @returns method and path, or null for any other response
 */
function absentCall(response: () => ResponseRecord): string | null {
  const { method, path, status, body } = response();
  if (status !== 404 && status !== 405 && status !== 501) return null;
  const call = `${method} ${path.split('?', 1)[0] ?? ''}`;
  if (!EXTENSIONS.has(call)) return null;
  return status === 404 && /(campaign|adgroup|keyword|media)\w* not found/i.test(body ?? '') ? null : call;
}
