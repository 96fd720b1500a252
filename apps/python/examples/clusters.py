"""Work that is cut into parts, and schedulers that do the parts: this process, Dask, or Ray.

A part is a function and its arguments. A scheduler does parts anywhere, in any order, and does one again whose worker was
lost, so a part must be done the same way each time. These are: a program's results are those of the machine, whichever processor
runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Cluster(Protocol):
    """Does parts."""

    def map(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> list[T]:
        """Calls a function with each of the arguments; results are in their order."""


class Here:
    """This process, one part after the other."""

    def map(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> list[T]:
        return [function(*each) for each in arguments]


class OnDask:
    """A Dask cluster: that of a scheduler's address, or processes of this machine."""

    def __init__(self, address: str | None = None, workers: int = 2) -> None:
        from distributed import Client, LocalCluster

        self.local = None if address else LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        self.client = Client(address or self.local)

    def map(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> list[T]:
        columns = list(zip(*arguments, strict=True))
        # The same arguments are not the same work: what a part writes may have been deleted since.
        futures = self.client.map(function, *columns, pure=False, retries=3)
        return list(self.client.gather(futures))

    def close(self) -> None:
        """Ends the processes, if they are its own."""
        self.client.close()
        if self.local is not None:
            self.local.close()


class OnRay:
    """A Ray cluster: that of an address (``"auto"`` on one of its machines), or processes of this machine."""

    def __init__(self, address: str | None = None, workers: int = 2) -> None:
        import ray

        self.ray = ray
        own: dict[str, Any] = {"address": address} if address else {"num_cpus": workers, "include_dashboard": False}
        ray.init(**own, logging_level="ERROR", log_to_driver=False, ignore_reinit_error=True)

    def map(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> list[T]:
        remote = self.ray.remote(max_retries=3, retry_exceptions=[OSError])(function)
        return list(self.ray.get([remote.remote(*each) for each in arguments]))

    def close(self) -> None:
        """Ends the processes, if they are its own."""
        self.ray.shutdown()


def cluster(name: str, address: str | None = None, workers: int = 2) -> Any:
    """The cluster of a name: ``"here"``, ``"dask"`` or ``"ray"``."""
    match name:
        case "here":
            return Here()
        case "dask":
            return OnDask(address, workers)
        case "ray":
            return OnRay(address, workers)
        case _:
            raise ValueError(f"there is no cluster {name!r}; there are 'here', 'dask' and 'ray'")
