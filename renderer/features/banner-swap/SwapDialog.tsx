import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SwapMoveView, SwapView } from '../../../shared/api/campaigns.ts';
import { SWAP_STEPS, type SwapStep } from '../../../shared/lifecycle/swap.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { Empty } from '../../components/Empty.tsx';
import { en } from '../../texts/en.ts';
import { enSwap } from '../../texts/en-swap.ts';
import { errorText } from '../../texts/errors.ts';

interface SwapDialogProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** The way from one banner to the other, step by step, and where it stands. */
export function SwapDialog({ workspaceId, campaignId }: SwapDialogProps) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(swapActions);
  const { dismiss } = store.getState();
  const answer = useQuery(api.swaps.state.queryOptions({ input: { workspaceId, campaignId } }));
  const view = answer.data;
  return (
    <Modal opened onClose={dismiss} title={enSwap.title} size="md">
      {view === undefined && <p>{answer.error === null ? en.grid.loading : errorText(answer.error)}</p>}
      {view === null && <Empty title={enSwap.none} text={enSwap.noneText} />}
      {view?.under != null && <Steps view={view} under={view.under} campaignId={campaignId} />}
      {view != null && view.under === null && (
        <>
          <p>{enSwap.intro(view.from.label, view.to.label)}</p>
          <Group justify="flex-end" mt="md" gap="xs">
            <Button onClick={dismiss}>{enSwap.close}</Button>
            <Button variant="filled" data-autofocus onClick={() => void actions.beginSwap(campaignId)}>
              {enSwap.begin}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}

interface StepsProps {
  readonly view: SwapView;
  readonly under: NonNullable<SwapView['under']>;
  readonly campaignId: number;
}

function Steps({ view, under, campaignId }: StepsProps) {
  const { store } = useAppContext();
  const actions = useActions(swapActions);
  const { dismiss } = store.getState();
  const { step, move, rejected } = under;
  const at = step === 'done' ? SWAP_STEPS.length : SWAP_STEPS.indexOf(step);
  const stateAt = (index: number) => (index < at ? 'done' : index === at ? 'now' : 'later');
  const end = async (): Promise<void> => {
    await actions.endSwap(campaignId);
    dismiss();
  };
  return (
    <>
      <p>{enSwap.intro(view.from.label, view.to.label)}</p>
      <ol className="swap-steps">
        {SWAP_STEPS.map((each, index) => (
          <li
            key={each}
            className={`swap-step swap-${stateAt(index)}`}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className="swap-mark" aria-hidden="true">
              {index < at ? '✓' : index + 1}
            </span>
            <span>
              <strong>{enSwap.steps[each]}</strong> <span className="quiet">· {enSwap.state[stateAt(index)]}</span>
              {index === at && move !== null && <p className="quiet">{hintOf(each, move)}</p>}
              {index === at && rejected !== null && <p className="note-error">{enSwap.rejected(rejected.reason)}</p>}
            </span>
          </li>
        ))}
      </ol>
      {step === 'done' && <p role="status">{enSwap.done}</p>}
      <Group justify="space-between" mt="md" gap="xs">
        <Button title={enSwap.forgetHint} onClick={() => void end()}>
          {step === 'done' ? enSwap.finish : enSwap.forget}
        </Button>
        <Group gap="xs">
          <Button onClick={dismiss}>{enSwap.close}</Button>
          {move !== null && <StepButtons campaignId={campaignId} move={move} />}
        </Group>
      </Group>
    </>
  );
}

function hintOf(step: SwapStep, move: SwapMoveView): string {
  const { hints } = enSwap;
  if (step === 'review') return move.way === 'look' ? hints.waits : hints.review;
  if (step === 'enable') return move.way === 'sync' ? hints.enableSend : hints.enable;
  if (step !== 'disable') return hints[step];
  if (move.way === 'look') return hints.byItself;
  return move.way === 'sync' ? hints.disableSend : hints.disable;
}

interface StepButtonsProps {
  readonly campaignId: number;
  readonly move: SwapMoveView;
}

/** The buttons of the step that is due. */
function StepButtons({ campaignId, move }: StepButtonsProps) {
  const { store, actions } = useAppContext();
  const swap = useActions(swapActions);
  const { dismiss, reveal, show } = store.getState();
  const { moves } = enSwap;
  const button = (text: string, run: () => void) => (
    <Button variant="filled" data-autofocus onClick={run}>
      {text}
    </Button>
  );
  switch (move.way) {
    case 'edit': {
      const go = (): void => {
        dismiss();
        reveal('sbaProfile', campaignId, move.id, 'headline');
      };
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
      return button(moves.sync, () => show({ name: 'sync', campaignIds: [campaignId] }));
    case 'submit':
      return button(moves.submit, () => void actions.review('submit', [campaignId]));
    case 'look':
      return button(moves.look, () => void (move.at === 'reviews' ? actions.pollReviews() : actions.refreshAll()));
    default:
      return move satisfies never;
  }
}

/** A campaign that changes what it shows without a pause: which profiles are meant. */
interface SwapActions {
  beginSwap(campaignId: number): Promise<SwapView | null>;
  /** The spare is wanted as it is. */
  keepSpare(campaignId: number): Promise<SwapView | null>;
  endSwap(campaignId: number): Promise<SwapView | null>;
  /** Switches a profile on or off in the draft, as one step that can be undone. */
  switchProfile(id: number, status: 'enabled' | 'disabled'): Promise<boolean>;
}

function swapActions(doing: ActionContext): SwapActions {
  const { client } = doing.connection;
  const ask =
    (what: 'begin' | 'keep' | 'end') =>
    (campaignId: number): Promise<SwapView | null> =>
      runAction(doing, (workspaceId) => client.swaps[what]({ workspaceId, campaignId }));
  return {
    beginSwap: ask('begin'),
    keepSpare: ask('keep'),
    endSwap: ask('end'),
    switchProfile: (id, status) =>
      doing.inOrder(async () => {
        const changes = [{ kind: 'sbaProfile' as const, id, field: 'status', value: status }];
        const label = enSwap.label[status];
        const edited = await runAction(doing, (workspaceId) => client.workspace.edit({ workspaceId, label, changes }));
        return edited !== null;
      }),
  };
}
