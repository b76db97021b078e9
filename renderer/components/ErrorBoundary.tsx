import { Component, type ReactNode } from 'react';
import { Chip } from './Chip.tsx';
import { Empty } from './Empty.tsx';
import ui from './ui.module.css';

const texts = {
  title: 'Something went wrong in this window',
  text: 'Your edits are saved. Reload the window to continue. If it happens again, tell support what you did.',
  reload: 'Reload window',
} as const;

/**
 * Keeps a defect in one screen from leaving an empty window: says what is safe and offers a fresh start. React
 * catches errors of rendering in classes only.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main className={ui['page']}>
        <Empty title={texts.title} text={texts.text} heading>
          <Chip onClick={() => window.location.reload()}>{texts.reload}</Chip>
        </Empty>
      </main>
    );
  }
}
