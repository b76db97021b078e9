import { Button, Group, Modal } from '@mantine/core';
import type { LogEntry, RestoreScope } from '../../../shared/api/history.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { usePages } from '../../app/pages.ts';
import type { HistoryStep } from '../../app/store/dialog.ts';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { en } from '../../texts/en.ts';
import { enHistory } from '../../texts/en-history.ts';
import { errorText } from '../../texts/errors.ts';
import { fieldName, KIND_NAMES } from '../../texts/fields.ts';
import { timeText } from '../../texts/numbers.ts';
import { entryText } from './RequestsList.tsx';

/** What one step changed, with old and new values, and the ways back from it. */
export function StepDialog({ workspaceId, step }: { readonly workspaceId: string; readonly step: HistoryStep }) {
  const api = useApi();
  const { store, actions } = useAppContext();
  const now = useNow();
  const list = usePages(
    (from, count) => api.history.log.queryOptions({ input: { workspaceId, stepId: step.id, from, count } }),
    ({ entries }) => entries,
  );
  const { newest, error } = list;
  const { dismiss, show } = store.getState();
  const bringBack = (scope: RestoreScope, label: string): void => void actions.bringBack(step.previous, scope, label);
  const goBack = (): void => {
    const { backTitle: title, backText: text, backKeep: keep, backButton: button } = enHistory;
    const run = (): void => bringBack({ all: true }, enHistory.beforeLabel(step.label));
    show({ name: 'confirm', title, text, keep, button, run });
  };
  return (
    <Modal opened onClose={dismiss} title={step.label} size={760}>
      <p className="quiet">{enHistory.by(step.who, timeText(step.at, now))}</p>
      {newest === undefined ? (
        <p className="quiet">{error === null ? en.grid.loading : errorText(error)}</p>
      ) : (
        <div className="step-log">
          <VirtualList
            count={newest.total}
            label={enHistory.entries}
            resetOn={String(step.id)}
            onWant={list.want}
            line={(index) => (
              <EntryLine entry={list.at(index)} before={list.at(index - 1)} first={index === 0} onBack={bringBack} />
            )}
          />
        </div>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={goBack}>{enHistory.before}</Button>
        <Button data-autofocus variant="filled" onClick={dismiss}>
          {en.close}
        </Button>
      </Group>
    </Modal>
  );
}

interface EntryLineProps {
  readonly entry: LogEntry | undefined;
  /** The line above, as its campaign is offered once. */
  readonly before: LogEntry | undefined;
  readonly first: boolean;
  readonly onBack: (scope: RestoreScope, label: string) => void;
}

function EntryLine({ entry, before, first, onBack }: EntryLineProps) {
  if (entry === undefined) return <span className="long-skeleton" />;
  const { kind, id, field, what, campaignId, campaignName } = entry;
  const row = `${KIND_NAMES[kind].one} ${entry.label}`;
  const values = field === null ? '' : `${value(entry, entry.before)} → ${value(entry, entry.after)}`;
  const name = field === null ? enHistory.what[what] : fieldName(field, kind);
  const isNewCampaign = campaignId !== null && (first || before?.campaignId !== campaignId);
  return (
    <div className="line">
      <span className="step-row" title={`${campaignName} › ${row}`}>
        <span className="quiet">{KIND_NAMES[kind].one}</span> {entry.label}
      </span>
      <span className="step-values" title={values}>
        <span className="quiet">{name}</span> {values}
      </span>
      {what === 'field' && (
        <button
          type="button"
          className="chip"
          aria-label={enHistory.bringBackCell(name, row)}
          onClick={() => onBack({ ref: { kind, id }, field }, enHistory.bringBackCell(name, row))}
        >
          {enHistory.bringBack}
        </button>
      )}
      {isNewCampaign && (
        <button
          type="button"
          className="chip"
          aria-label={enHistory.bringBackCampaign(campaignName)}
          onClick={() => onBack({ campaignId }, enHistory.bringBackCampaign(campaignName))}
        >
          {enHistory.campaign}
        </button>
      )}
    </div>
  );
}

const value = (entry: LogEntry, cell: LogEntry['before']): string => entryText(entry, cell) || en.sync.emptyValue;
