import { Button, Group } from '@mantine/core';
import { useBusy } from '../components/use-busy.ts';
import { type ActionContext, runAction } from './actions.ts';
import { useActions, useAppContext } from './app-context.ts';
import { momentText } from './locale/numbers.ts';

const texts = {
  steps: [
    ['PT30M', '+30 min'],
    ['P1D', '+1 day'],
    ['P3D', '+3 days'],
  ] as readonly (readonly [string, string])[],
  moved: (time: string) => `Practice time is now ${time}`,
} as const;

/** Moves the practice clock, and says where it is then. */
export function useClockMove(): readonly [boolean, (duration: string) => Promise<void>] {
  const actions = useActions(practiceActions);
  const { announce } = useAppContext().store.getState();
  const [busy, during] = useBusy();
  const move = async (duration: string): Promise<void> => {
    const now = await during(actions.movePracticeClock(duration));
    if (now !== null) announce(texts.moved(momentText(now)));
  };
  return [busy, move];
}

/** The steps of the practice clock that a user needs most, a button each. */
export function ClockSteps() {
  const [busy, move] = useClockMove();
  return (
    <Group gap="xs">
      {texts.steps.map(([duration, name]) => (
        <Button key={duration} disabled={busy} onClick={() => void move(duration)}>
          {name}
        </Button>
      ))}
    </Group>
  );
}

/** The practice service has moved on, so the account is refreshed at once. */
export function practiceActions(doing: ActionContext) {
  const { client } = doing.connection;
  const done = async (call: (workspaceId: string) => Promise<unknown>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
  return {
    movePracticeClock: async (duration: string) => {
      const state = await runAction(doing, (workspaceId) => client.practice.advance({ workspaceId, duration }));
      if (state !== null) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return state?.now ?? null;
    },
    decideReview: async (reviewId: string, verdict: 'approved' | 'rejected') => {
      const decided = await done((workspaceId) => client.practice.decide({ workspaceId, reviewId, verdict }));
      if (decided) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return decided;
    },
  };
}
