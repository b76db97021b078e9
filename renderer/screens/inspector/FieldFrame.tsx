import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ImpactView } from '../../../shared/contract/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Finding } from '../../../shared/rules/finding.ts';
import type { Column } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { findingText } from '../../messages/findings.ts';
import { CommentButton } from './CommentButton.tsx';

/** What every field of the details has, whatever edits it. */
export interface FieldProps {
  readonly kind: Kind;
  readonly column: Column;
  /** Why it cannot be edited, or null. */
  readonly locked: string | null;
  readonly findings: readonly Finding[];
  /** What the service has, when it differs. */
  readonly before: string | null;
  readonly impact: ImpactView | null;
  readonly onRevert: (() => void) | null;
  /** Open comments on it; null where it stands for several rows, which cannot be commented on at once. */
  readonly openComments: number | null;
}

interface FieldFrameProps extends FieldProps {
  readonly inputId: string;
  readonly problemId: string;
  readonly problem: string | null;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** Label, badge of what a change costs, the input, and below it what is wrong and what the service has. */
export function FieldFrame(props: FieldFrameProps) {
  const { column, locked, findings, before, impact, onRevert, openComments } = props;
  const { inputId, problemId, problem, hint, children } = props;
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={inputId}>{column.title}</label>
        {impact !== null && impact.cost !== 'local' && impact.cost !== 'with-create' && (
          <span className={`badge impact-${impact.cost}`} title={impact.message ?? undefined}>
            {en.inspector.impacts[impact.cost]}
          </span>
        )}
        {openComments !== null && <CommentButton column={column} open={openComments} />}
        <span className="toolbar-gap" />
        {hint}
        {onRevert !== null && (
          <ActionIcon
            size={24}
            className="field-revert"
            variant="subtle"
            aria-label={`${en.inspector.revertField}: ${column.title}`}
            title={en.inspector.revertField}
            onClick={onRevert}
          >
            <IconArrowBackUp size={14} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {children}
      <div id={problemId} className="field-notes">
        {problem !== null && (
          <p className="note-error" role="alert">
            {problem}
          </p>
        )}
        {findings.map((finding) => (
          <p key={finding.rule} className={`note-${finding.severity}`}>
            {findingText(finding)}
          </p>
        ))}
        {before !== null && <p className="note-changed">{before}</p>}
        {locked !== null && column.spec?.owner === 'user-until-sent' && <p className="quiet">{locked}</p>}
      </div>
    </div>
  );
}
