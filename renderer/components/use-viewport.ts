import { type RefObject, useLayoutEffect, useState } from 'react';

/** The visible part of a scrolling box, in CSS pixels. */
interface Viewport {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/** @param fallback the size of a box that has no layout */
export function useViewport(box: RefObject<HTMLElement | null>, fallback: Omit<Viewport, 'top'>): Viewport {
  const { height, width } = fallback;
  const [view, setView] = useState({ top: 0, height, width });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const read = (): void =>
      setView({
        top: element.scrollTop,
        height: element.clientHeight || height,
        width: element.clientWidth || width,
      });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [box, height, width]);
  return view;
}
