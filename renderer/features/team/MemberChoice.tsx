import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/app-context.ts';
import { Choice } from '../../components/Choice.tsx';
import ui from '../../components/ui.module.css';
import styles from './team.module.css';

const texts = { label: 'Edits of', all: 'All members' } as const;

interface MemberChoiceProps {
  readonly workspaceId: string;
  readonly member: number | null;
  readonly onChoose: (member: number | null) => void;
}

/** Whose edits the history shows. Members with a computer in the team are known offline, too. */
export function MemberChoice({ workspaceId, member, onChoose }: MemberChoiceProps) {
  const status = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data;
  const members = new Map(status?.desks.map((desk) => [desk.member.no, desk.member.display]));
  return (
    <Choice
      className={`${ui['input']} ${styles['member']}`}
      aria-label={texts.label}
      options={[[null, texts.all], ...members]}
      value={member}
      onChoose={onChoose}
    />
  );
}
