// A row of tabs and the panel of the one that is chosen; arrow keys go from tab to tab.
import type { ComponentChildren } from "preact";

export interface Tab {
  id: string;
  name: string;
  badge?: string;
}

interface Properties {
  label: string;
  tabs: Tab[];
  chosen: string;
  choose(id: string): void;
  /** What stands at the end of the row. */
  more?: ComponentChildren;
  children: ComponentChildren;
}

export function Tabs({ label, tabs, chosen, choose, more, children }: Properties) {
  const press = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    choose(next.id);
    const row = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => row.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    event.preventDefault();
  };
  return (
    <div class="tabbed">
      <div class="tabs">
        <div class="tab-row" role="tablist" aria-label={label} onKeyDown={press}>
          {tabs.map(({ id, name, badge }) => (
            <button
              key={id}
              id={`tab-${label}-${id}`}
              type="button"
              role="tab"
              aria-selected={id === chosen}
              aria-controls={`panel-${label}`}
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => choose(id)}
            >
              {name}
              {badge !== undefined && <span class="badge">{badge}</span>}
            </button>
          ))}
        </div>
        {more}
      </div>
      <div class="panel" id={`panel-${label}`} role="tabpanel" aria-labelledby={`tab-${label}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}
