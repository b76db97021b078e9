import { dateInZone } from '../shared/model/plain-date.ts';
import type { PlainDate } from '../shared/model/scalars.ts';
import type { DeploymentSettings } from '../shared/profile/profile.ts';
import type { Clock } from './clock.ts';
import type { PracticeHost } from './practice/practice-host.ts';
import { CALENDAR_AHEAD_KEY } from './workspace/rows/standards.ts';
import type { Workspace } from './workspace/store.ts';

/** Which day it is for an account: that of the business, or on a practice account that of its service's clock. */
export const businessDayOf = async (
  practice: PracticeHost | null,
  profile: DeploymentSettings,
  clock: Clock,
): Promise<PlainDate> =>
  practice === null ? dateInZone(clock.nowMs(), profile.business.zone) : practiceToday(practice, profile, clock);

/** Differences below a minute are the time a call takes. */
const CALENDAR_STEP_MS = 60_000;

/** The rules judge dates by the calendar of the practice service, also before that is started the next time. */
export async function watchBusinessDay(workspace: Workspace, aheadMs: number): Promise<void> {
  const known = Number((await workspace.getMeta(CALENDAR_AHEAD_KEY)) ?? '0');
  if (Math.abs(aheadMs - known) < CALENDAR_STEP_MS) return;
  await workspace.setMeta(CALENDAR_AHEAD_KEY, String(Math.round(aheadMs)));
}

/** The practice service's calendar may be weeks ahead; while it cannot be asked, the machine's date has to do. */
async function practiceToday(
  practice: PracticeHost,
  { business }: DeploymentSettings,
  clock: Clock,
): Promise<PlainDate> {
  const control = await practice.control();
  const state = control.ok ? await control.value.state() : control;
  const nowMs = state.ok ? Date.parse(state.value.now) : clock.nowMs();
  return dateInZone(nowMs, business.zone);
}
