// The last works, in the browser's own store, so that a closed tab is not a lost program.

export interface Recent {
  /** Which opening of a work in which tab; its later states replace the earlier ones. */
  id: string;
  title: string;
  fragment: string;
  when: number;
}

const KEPT = 20;
const TAB = Math.random().toString(36).slice(2);

function store(): Promise<IDBDatabase> {
  const request = indexedDB.open("gpuzoo", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("works", { keyPath: "id" });
  return result(request);
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The last works, the newest first; none where the browser keeps nothing. */
export async function recents(): Promise<Recent[]> {
  try {
    const works = (await store()).transaction("works").objectStore("works");
    const all = (await result(works.getAll())) as Recent[];
    return all.sort((one, other) => other.when - one.when);
  } catch {
    return [];
  }
}

export async function keepRecent(fragment: string, title: string, opened: number): Promise<void> {
  try {
    const works = (await store()).transaction("works", "readwrite").objectStore("works");
    await result(works.put({ id: `${TAB}-${opened}`, title, fragment, when: Date.now() } satisfies Recent));
    const all = (await result(works.getAll())) as Recent[];
    const old = all.sort((one, other) => other.when - one.when).slice(KEPT);
    for (const { id } of old) works.delete(id);
  } catch {
    // A browser that keeps nothing still has the address.
  }
}
