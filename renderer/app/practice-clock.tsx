import { Button, Group } from '@mantine/core';
import { useBusy } from '../components/use-busy.ts';
import { type ActionContext, runAction } from './actions.ts';
import { useActions, useAppContext } from './app-context.ts';
import { momentTextIn } from './locale/numbers.ts';

const texts = {
  steps: [
    ['PT30M', '+30 min'],
    ['P1D', '+1 day'],
    ['P3D', '+3 days'],
  ] as readonly (readonly [string, string])[],
  moved: (time: string) => `Practice time is now ${time}`,
} as const;

/** Moves the practice clock, and announces its new time. */
export function useClockMove(): readonly [boolean, (duration: string) => Promise<void>] {
  const actions = useActions(practiceActions);
  const { announce } = useAppContext().store.getState();
  const [busy, during] = useBusy();
  const move = async (duration: string): Promise<void> => {
    const state = await during(actions.movePracticeClock(duration));
    if (state !== null) announce(texts.moved(momentTextIn(state.now, state.zone)));
  };
  return [busy, move];
}

/** Buttons for the most common steps of the practice clock. */
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

/** Actions on the practice service. Each may change the service's data, so the account is refreshed after it. */
export function practiceActions(context: ActionContext) {
  const { client } = context.connection;
  const done = async (call: (workspaceId: string) => Promise<unknown>): Promise<boolean> =>
    (await runAction(context, call)) !== null;
  return {
    movePracticeClock: async (duration: string) => {
      const state = await runAction(context, (workspaceId) => client.practice.advance({ workspaceId, duration }));
      if (state !== null) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return state;
    },
    decideReview: async (reviewId: string, verdict: 'approved' | 'rejected') => {
      const decided = await done((workspaceId) => client.practice.decide({ workspaceId, reviewId, verdict }));
      if (decided) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return decided;
    },
  };
}
