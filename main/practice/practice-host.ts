import { ok, type Result } from '../../shared/result.ts';
import { createPracticeControl, type PracticeControl } from './practice-control.ts';
import {
  type PracticeService,
  type PracticeUnavailable,
  startPracticeService,
  unavailable,
} from './practice-service.ts';

/** The one practice service of an account: started on first use, kept until the account closes. */
export interface PracticeHost {
  service(): Promise<Result<PracticeService, PracticeUnavailable>>;
  control(): Promise<Result<PracticeControl, PracticeUnavailable>>;
  /** Ends the service; none is started after that. */
  close(): Promise<void>;
}

/** @param onClock told the service's time, in milliseconds since 1970, whenever it is learned */
export function createPracticeHost(
  folder: string,
  onClock: (serviceNowMs: number) => Promise<void> = async () => {},
): PracticeHost {
  let starting: Promise<Result<PracticeService, PracticeUnavailable>> | null = null;
  // A service that ended by itself comes back at the same address, so that clients made for it go on.
  let port = 0;
  let isClosed = false;
  const service = async () => {
    // A call may still be on its way when its account is closed: nobody would end what it starts.
    if (isClosed) return unavailable('the account was closed meanwhile');
    const known = starting;
    const running = await known;
    // Several may find it ended at once; it is started again for the first of them, and the others get that one.
    if (running?.ok === true && running.value.hasEnded() && starting === known) starting = null;
    starting ??= startPracticeService(folder, port);
    const own = starting;
    const started = await own;
    if (started.ok) port = Number(new URL(started.value.baseUrl).port);
    else if (starting === own) starting = null;
    return started;
  };
  return {
    service,
    control: async () => {
      const started = await service();
      return started.ok ? ok(createPracticeControl(started.value.controlUrl, onClock)) : started;
    },
    close: async () => {
      isClosed = true;
      const started = await starting;
      if (started?.ok === true) await started.value.close();
      starting = null;
    },
  };
}
