"""The topics, in the order of the course. Adding one is a function that draws it, and its entry in a list."""

from .attention import ATTENTION
from .exercise import Topic
from .paths import PATHS
from .sublayers import SUBLAYERS

ORDER = (
    "attention_weights",
    "multi_head_output",
    "add_and_norm",
    "feed_forward",
    "whole_row",
    "zeroed_projection",
    "pre_or_post",
    "jacobian_direct_path",
)
TOPICS: dict[str, Topic] = {
    topic.name: topic
    for topic in sorted((*ATTENTION, *SUBLAYERS, *PATHS), key=lambda topic: ORDER.index(topic.name))
}
