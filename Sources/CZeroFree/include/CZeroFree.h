/* An allocator that zeroes what is freed. Linking this target is all there is to use of it. */
#pragma once
