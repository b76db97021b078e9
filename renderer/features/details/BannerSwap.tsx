import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SwapMoveView, SwapView } from '../../../shared/api/campaigns.ts';
import { SWAPS_MAX } from '../../../shared/api/limits.ts';
import { SWAP_STEPS, type SwapStep } from '../../../shared/lifecycle/swap.ts';
import { type ActionContext, inWords, runAction, runEdit } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { wholeCampaigns } from '../../app/store/sync-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import styles from './details.module.css';

const texts = {
  title: 'Swap banner without pausing',
  intro: (from: string, to: string) =>
    `"${from}" stays live while you change "${to}" and get it approved. Then you enable the new banner and disable the old one. The campaign is never paused.`,
  none: 'Nothing to swap',
  noneText:
    'You need two SBA profiles in the ad group, one of them enabled on the service. Add a second profile first.',
  begin: 'Start swap',
  full: (campaign: string) =>
    `An account has up to ${countText(SWAPS_MAX)} swaps. When you start this one, Adslate forgets the oldest${campaign === '' ? '' : `, of ${campaign}`}.`,
  hints: {
    edit: 'You can change its text, click URL and logo while it is disabled.',
    send: 'The sync plan shows what will be sent.',
    review: 'Submit the campaign for review with all its changes.',
    waits: 'In review. Adslate checks every 30 minutes.',
    enable: 'Approved. Enable it, then sync.',
    enableSend: 'Enabled here. Sync the change.',
    disable: 'Disable the old profile, then sync.',
    disableSend: 'Disabled here. Sync the change.',
    byItself: 'The service disables the old profile automatically. Check its status.',
  },
  rejected: (reason: string | null) => `Rejected in review: ${reason ?? 'no reason given'}.`,
  state: { done: 'done', now: 'now', later: 'later' },
  done: 'Swap complete. The new banner is live and the old one is disabled.',
  moves: {
    edit: 'Go to the profile',
    keep: 'Use as is',
    enable: 'Enable',
    disable: 'Disable',
    sync: 'Sync…',
    submit: 'Submit for review',
    look: 'Check now',
  },
  forget: 'Cancel swap',
  forgetHint: 'Ends the guided swap. Rows do not change and nothing is sent.',
  finish: 'Finish',
  close: 'Close',
  label: { enabled: 'Swap: enable the new profile', disabled: 'Swap: disable the old profile' },
} as const;

interface BannerSwapProps {
  readonly workspaceId: string;
  readonly campaignId: number;
  readonly onClose: () => void;
}

/** The steps of a banner swap, and its progress. */
export function BannerSwap({ workspaceId, campaignId, onClose }: BannerSwapProps) {
  const actions = useActions(swapActions);
  const answer = useQuery(useApi().bannerSwaps.state.queryOptions({ input: { workspaceId, campaignId } }));
  const view = answer.data;
  return (
    <section ref={takeFocus} tabIndex={-1} className={styles['swap']} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {view === undefined && <p>{answer.error === null ? appTexts.grid.loading : errorText(answer.error)}</p>}
      {view === null && <Empty title={texts.none} text={texts.noneText} />}
      {view?.under != null && (
        <Steps workspaceId={workspaceId} view={view} under={view.under} campaignId={campaignId} onClose={onClose} />
      )}
      {view != null && view.under === null && (
        <>
          <p>{texts.intro(view.from.label, view.to.label)}</p>
          {view.forgets !== null && <p className={ui['quiet']}>{texts.full(view.forgets)}</p>}
          <Group justify="flex-end" mt="md" gap="xs">
            <Button onClick={onClose}>{texts.close}</Button>
            <Button onClick={() => void actions.beginSwap(campaignId)}>{texts.begin}</Button>
          </Group>
        </>
      )}
    </section>
  );
}

interface StepsProps {
  readonly workspaceId: string;
  readonly view: SwapView;
  readonly under: NonNullable<SwapView['under']>;
  readonly campaignId: number;
  readonly onClose: () => void;
}

function Steps({ workspaceId, view, under, campaignId, onClose }: StepsProps) {
  const actions = useActions(swapActions);
  const [problem, setProblem] = useState<string | null>(null);
  const { step, move, rejected } = under;
  const at = step === 'done' ? SWAP_STEPS.length : SWAP_STEPS.indexOf(step);
  const stateAt = (index: number) => (index < at ? 'done' : index === at ? 'now' : 'later');
  const end = async (): Promise<void> => {
    const ended = await actions.endSwap(workspaceId, campaignId);
    if (ended.ok) onClose();
    else setProblem(ended.error);
  };
  return (
    <>
      <p>{texts.intro(view.from.label, view.to.label)}</p>
      <ol className={styles['swap-steps']}>
        {SWAP_STEPS.map((each, index) => (
          <li
            key={each}
            className={`${styles['swap-step']} ${styles[`swap-${stateAt(index)}`]}`}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className={styles['swap-mark']} aria-hidden="true">
              {index < at ? '✓' : index + 1}
            </span>
            <span>
              <strong>{appTexts.swap.steps[each]}</strong>{' '}
              <span className={ui['quiet']}>· {texts.state[stateAt(index)]}</span>
              {index === at && move !== null && <p className={ui['quiet']}>{hintOf(each, move)}</p>}
              {index === at && rejected !== null && (
                <p className={ui['note-error']}>{texts.rejected(rejected.reason)}</p>
              )}
            </span>
          </li>
        ))}
      </ol>
      {step === 'done' && <p role="status">{texts.done}</p>}
      <Problem of={problem} />
      <Group justify="space-between" mt="md" gap="xs">
        <Button title={texts.forgetHint} onClick={() => void end()}>
          {step === 'done' ? texts.finish : texts.forget}
        </Button>
        <Group gap="xs">
          <Button onClick={onClose}>{texts.close}</Button>
          {move !== null && <StepButtons campaignId={campaignId} move={move} />}
        </Group>
      </Group>
    </>
  );
}

function hintOf(step: SwapStep, move: SwapMoveView): string {
  const { hints } = texts;
  if (step === 'review') return move.way === 'look' ? hints.waits : hints.review;
  if (step === 'enable') return move.way === 'sync' ? hints.enableSend : hints.enable;
  if (step !== 'disable') return hints[step];
  if (move.way === 'look') return hints.byItself;
  return move.way === 'sync' ? hints.disableSend : hints.disable;
}

function StepButtons({ campaignId, move }: { readonly campaignId: number; readonly move: SwapMoveView }) {
  const { store, actions } = useAppContext();
  const swap = useActions(swapActions);
  const { openSync, reveal } = store.getState();
  const { moves } = texts;
  const button = (text: string, run: () => void) => <Button onClick={run}>{text}</Button>;
  switch (move.way) {
    case 'edit': {
      const go = (): void => reveal('sbaProfile', campaignId, move.id, 'headline');
      return (
        <>
          {move.canStay && <Button onClick={() => void swap.keepSpare(campaignId)}>{moves.keep}</Button>}
          {button(moves.edit, go)}
        </>
      );
    }
    case 'write':
      return button(
        move.status === 'enabled' ? moves.enable : moves.disable,
        () => void swap.switchProfile(move.id, move.status),
      );
    case 'sync':
      return button(moves.sync, () => openSync({ chosen: wholeCampaigns([campaignId]) }));
    case 'submit':
      return button(moves.submit, () => void actions.submitReviews([campaignId]));
    case 'look':
      return button(moves.look, () => void (move.at === 'reviews' ? actions.pollReviews() : actions.refreshAll()));
    default:
      return move satisfies never;
  }
}

/** Actions of a swap, which replaces the live banner of a campaign without a pause. */
function swapActions(context: ActionContext) {
  const { client } = context.connection;
  const ask =
    (what: 'start' | 'keep') =>
    (campaignId: number): Promise<SwapView | null> =>
      runAction(context, (workspaceId) => client.bannerSwaps[what]({ workspaceId, campaignId }));
  return {
    beginSwap: ask('start'),
    /** Keeps the spare profile unchanged. */
    keepSpare: ask('keep'),
    endSwap: (workspaceId: string, campaignId: number) =>
      inWords(() => client.bannerSwaps.end({ workspaceId, campaignId })),
    /** Enables or disables a profile in the draft, as one step that can be undone. */
    switchProfile: async (id: number, status: 'enabled' | 'disabled') => {
      const changes = [{ kind: 'sbaProfile' as const, id, field: 'status', value: status }];
      const label = texts.label[status];
      const edited = await runEdit(context, (workspaceId) => client.workspace.edit({ workspaceId, label, changes }));
      return edited !== null;
    },
  };
}
