import { useAppContext, useView } from '../../app/app-context.ts';
import { TOOL_STEPS, type ToolStep } from '../../app/store/layout-slice.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { Empty } from '../../components/Empty.tsx';
import type { OpenView } from '../../grid/window.ts';
import { CellTools } from './CellTools.tsx';
import { CopyStep } from './CopyStep.tsx';
import { DuplicatesStep } from './DuplicatesStep.tsx';
import { PasteStep } from './PasteStep.tsx';
import { toolsFor } from './tool-form.ts';
import styles from './tools.module.css';

const texts = {
  tool: 'Action',
  tools: {
    set: 'Set a value',
    amount: 'Adjust amounts',
    replace: 'Find and replace',
    append: 'Add text',
    case: 'Change case',
    paste: 'Paste special',
    duplicates: 'Find duplicates',
    copy: 'Copy or move to…',
  },
  nothing: 'No rows to change',
  nothingText: 'Open a list with rows. The tools for these rows are shown here.',
} as const;

const CELL_STEPS: ReadonlySet<ToolStep> = new Set(['set', 'amount', 'replace', 'append', 'case']);

/** The tab Change of the right pane: one tool at a time, with a preview in the grid. */
export function ChangePane({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView | null }) {
  const { store } = useAppContext();
  const opened = useView((s) => s.tool);
  if (view === null) return <Empty title={texts.nothing} text={texts.nothingText} />;
  const { kind } = view.source.request;
  const offered: readonly ToolStep[] = toolsFor(kind);
  const steps = TOOL_STEPS.filter((each) => !CELL_STEPS.has(each) || offered.includes(each));
  const step = steps.includes(opened.step) ? opened.step : (steps[0] ?? 'copy');
  const props = { workspaceId, view, opened };
  return (
    <div className={styles['change']}>
      <ChoiceField
        className={styles['step'] ?? ''}
        label={texts.tool}
        options={steps.map((each) => [each, texts.tools[each]])}
        value={step}
        onChoose={(next) => store.getState().openTool(next, opened.field)}
      />
      {step === 'paste' ? (
        <PasteStep key={kind} {...props} />
      ) : step === 'duplicates' ? (
        <DuplicatesStep workspaceId={workspaceId} kind={kind === 'adItem' ? kind : 'keyword'} />
      ) : step === 'copy' ? (
        <CopyStep key={kind} {...props} />
      ) : (
        <CellTools key={kind} {...props} step={step} />
      )}
    </div>
  );
}
